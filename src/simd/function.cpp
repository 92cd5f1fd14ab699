// SPDX-License-Identifier: MIT
#include "simd/function.h"
#include "base/log.h"
#include "base/options.h"
#include "simd/internal/recorder.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unistd.h>

namespace monolith::simd {

using namespace asmjit;

struct CodeMemory::Data {
  JitRuntime runtime;
  std::atomic<size_t> used{0};
  static JitAllocator::CreateParams params() {
    JitAllocator::CreateParams p;
    p.options = JitAllocatorOptions::kUseDualMapping;
    p.blockSize = 256 * 1024;
    return p;
  }
  Data(const JitAllocator::CreateParams& p) : runtime(&p) {}
};

CodeMemory::CodeMemory() : m_data(std::make_unique<Data>(Data::params())) {}
CodeMemory::~CodeMemory() = default;
size_t CodeMemory::bytesUsed() const { return m_data->used.load(std::memory_order_relaxed); }

CodeMemory& processCodeMemory() {
  // Never destroyed: routines of static objects may outlive any order of destruction.
  static CodeMemory* memory = new CodeMemory;
  return *memory;
}

Routine& Routine::operator=(Routine&& other) noexcept {
  std::swap(m_memory, other.m_memory);
  std::swap(m_code, other.m_code);
  std::swap(m_size, other.m_size);
  return *this;
}

Routine::~Routine() {
  if (!m_code)
    return;
  m_memory->m_data->used.fetch_sub(m_size, std::memory_order_relaxed);
  m_memory->m_data->runtime.release(m_code);
}

static FuncSignatureBuilder signatureOf(std::initializer_list<ArgumentKind> arguments, bool returnsWord) {
  FuncSignatureBuilder s(CallConvId::kX64SystemV);
  s.setRet(returnsWord ? TypeId::kUInt32 : TypeId::kVoid);
  for (ArgumentKind a : arguments)
    s.addArg(a == ArgumentKind::Word ? TypeId::kUInt32 : TypeId::kUIntPtr);
  return s;
}

/// A recorder that the thread used before: its memory is warm.
static std::unique_ptr<Recorder>& spareRecorder() {
  static thread_local std::unique_ptr<Recorder> spare;
  return spare;
}

static std::unique_ptr<Recorder> takeRecorder() {
  std::unique_ptr<Recorder>& spare = spareRecorder();
  return spare ? std::move(spare) : std::make_unique<Recorder>();
}

static void returnRecorder(std::unique_ptr<Recorder> r) {
  if (!r || spareRecorder())
    return;
  r->clear();
  spareRecorder() = std::move(r);
}

Function::Function(std::string name, std::initializer_list<ArgumentKind> arguments, bool returnsWord)
    : m_recorder(takeRecorder()) {
  Recorder& r = *m_recorder;
  r.name = std::move(name);
  r.returnsWord = returnsWord;
  r.dump = *base::optionText(base::Option::DUMP) != 0;
  r.code.init(Environment::host());
  r.code.setErrorHandler(&r);
  if (r.dump)
    r.code.setLogger(&r.logger);
  r.code.attach(&r.compiler);
#ifdef MONOLITH_DEBUG
  r.compiler.addDiagnosticOptions(DiagnosticOptions::kValidateIntermediate | DiagnosticOptions::kValidateAssembler);
#endif
  r.pool = r.compiler.newLabel();
  r.function = r.compiler.addFunc(signatureOf(arguments, returnsWord));
  r.function->frame().setAvxEnabled();
  r.function->frame().setAvxCleanup();
  uint32_t index = 0;
  for (ArgumentKind a : arguments) {
    const x86::Gp reg = a == ArgumentKind::Word ? r.compiler.newGpd() : r.compiler.newGpq();
    r.function->setArg(index++, reg);
    r.arguments.push_back(reg.id());
  }
  r.outer = Recorder::currentSlot();
  Recorder::currentSlot() = &r;
}

Function::~Function() {
  if (m_recorder && Recorder::currentSlot() == m_recorder.get())
    Recorder::currentSlot() = m_recorder->outer;
  returnRecorder(std::move(m_recorder));
}

Pointer Function::pointerArgument(int index) const { return Pointer::fromId(m_recorder->arguments[size_t(index)]); }
Word Function::wordArgument(int index) const { return Word::fromId(m_recorder->arguments[size_t(index)]); }

void Function::ret() { m_recorder->compiler.ret(); }
void Function::ret(Word value) { m_recorder->compiler.ret(gpd(inRegister(value))); }

void Function::failCurrent(const char* error) {
  Recorder& r = Recorder::current();
  if (r.error.empty())
    r.error = error;
}

bool Function::recording() { return Recorder::currentSlot() != nullptr; }

Pointer Function::currentStack(uint32_t bytes, uint32_t alignment) {
  const x86::Mem m = emitter().newStack(bytes, alignment);
  Pointer p = Pointer::fromId(m.baseId());
  p.kind = Pointer::Base::Stack;
  return p;
}

Pointer Function::stack(uint32_t bytes, uint32_t alignment) { return currentStack(bytes, alignment); }

size_t Function::instructionCount() const {
  size_t n = 0;
  if (m_recorder)
    for (const BaseNode* node = m_recorder->compiler.firstNode(); node; node = node->next())
      n += node->isInst();
  return n;
}

static void appendPerfMap(const void* code, size_t size, const char* name) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", int(getpid()));
  if (FILE* f = fopen(path, "a")) {
    fprintf(f, "%lx %lx %s\n", long(reinterpret_cast<uintptr_t>(code)), long(size), name);
    fclose(f);
  }
}

static void dumpAssembly(const std::string& name, const char* text) {
  std::string file;
  for (char c : name)
    file += (isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.') ? c : '_';
  const std::string path = std::string(base::optionText(base::Option::DUMP)) + "/" + file + ".asm";
  if (FILE* f = fopen(path.c_str(), "w")) {
    fputs(text, f);
    fclose(f);
  } else {
    base::logOnce("MONOLITH_DUMP: the folder cannot be written");
  }
}

Routine Function::finish(CodeMemory& memory) {
  Recorder& r = *m_recorder;
  Routine routine;
  if (r.returnsWord) // a function whose recorder forgot to return gives 0
    ret(Word(0));
  r.compiler.endFunc();
  r.compiler.align(AlignMode::kData, 32);
  r.compiler.bind(r.pool);
  if (!r.poolWords.empty())
    r.compiler.embed(r.poolWords.data(), r.poolWords.size() * 4);
  const Error error = r.compiler.finalize();
  Recorder::currentSlot() = r.outer;
  void* code = nullptr;
  if (error == kErrorOk && r.error.empty()) {
    const size_t size = r.code.codeSize();
    const Error added = memory.m_data->runtime.add(&code, &r.code);
    if (added != kErrorOk) {
      r.error = DebugUtils::errorAsString(added);
    } else {
      routine.m_memory = &memory;
      routine.m_code = code;
      routine.m_size = size;
      memory.m_data->used.fetch_add(size, std::memory_order_relaxed);
    }
  } else if (r.error.empty()) {
    r.error = DebugUtils::errorAsString(error);
  }
  m_error = r.error;
  if (!m_error.empty())
    base::logLine(base::LogLevel::Error, "simd: %s: %s", r.name.c_str(), m_error.c_str());
  if (r.dump)
    dumpAssembly(r.name, r.logger.data());
  if (code && base::optionNumber(base::Option::PERF_MAP))
    appendPerfMap(code, routine.m_size, r.name.c_str());
  returnRecorder(std::move(m_recorder));
  return routine;
}

static InvokeNode* invoke(const Operand& target, std::initializer_list<Argument> arguments, bool returnsWord) {
  FuncSignatureBuilder s(CallConvId::kX64SystemV);
  s.setRet(returnsWord ? TypeId::kUInt32 : TypeId::kVoid);
  std::vector<Id> ids;
  x86::Compiler& cc = emitter();
  for (const Argument& a : arguments) {
    if (a.isPointer) {
      s.addArg(TypeId::kUIntPtr);
      const Id id = newGpq();
      assignRegister(Pointer::fromId(id), a.pointer);
      ids.push_back(id);
    } else if (a.isLong) {
      s.addArg(TypeId::kUInt64);
      ids.push_back(inRegister(a.wide));
    } else {
      s.addArg(TypeId::kUInt32);
      ids.push_back(inRegister(a.word));
    }
  }
  InvokeNode* node = nullptr;
  if (target.isImm())
    cc.invoke(&node, target.as<Imm>(), s);
  else
    cc.invoke(&node, target.as<x86::Gp>(), s);
  if (!node)
    return nullptr;
  uint32_t i = 0;
  for (const Argument& a : arguments) {
    node->setArg(i, a.isPointer || a.isLong ? gpq(ids[i]) : gpd(ids[i]));
    ++i;
  }
  return node;
}

static Word wordResult(InvokeNode* node) {
  const Word w = Word::fromId(newGpd());
  if (node)
    node->setRet(0, gpd(w.id));
  return w;
}

void call(const void* function, std::initializer_list<Argument> arguments) {
  invoke(imm(reinterpret_cast<uintptr_t>(function)), arguments, false);
}
void call(Long function, std::initializer_list<Argument> arguments) {
  invoke(gpq(inRegister(function)), arguments, false);
}
Word callWord(const void* function, std::initializer_list<Argument> arguments) {
  return wordResult(invoke(imm(reinterpret_cast<uintptr_t>(function)), arguments, true));
}
Word callWord(Long function, std::initializer_list<Argument> arguments) {
  return wordResult(invoke(gpq(inRegister(function)), arguments, true));
}

} // namespace monolith::simd
