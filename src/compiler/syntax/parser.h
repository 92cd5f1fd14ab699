// SPDX-License-Identifier: MIT
/// @file
/// Recursive descent over the token list; names, types and overloads are settled on the way (see ast.h). A syntax
/// error ends the parse; an error of meaning gives a node of error type, about which nothing more is said.
#pragma once

#include "compiler/preprocess/preprocessor.h"
#include "compiler/syntax/ast.h"

#include <memory>
#include <set>
#include <unordered_map>

namespace monolith::compiler {

struct ParserOptions {
  bool rowMajor = false;        ///< default order of matrices
  bool compatibility = false;   ///< globals may be written
  bool strict = false;
  int model = 50;               ///< 40, 41, 50
  std::set<size_t> unordered;   ///< globals, by number, that are bound for unordered access although declared as views
};

/// Components of the index of an object's operator[]; 0: it has none.
uint32_t indexDimensions(const Type* object);

class Parser {
public:
  Parser(const PreprocessorOutput& input, Diagnostics& diagnostics, Program& program, const ParserOptions& options);
  /// Reads the whole source into the program.
  void run();

private:
  struct Namespace;
  struct Symbol {
    Namespace* space = nullptr;
    int field = -1;      ///< member of `type` (a structure), seen from inside its methods
    VarDecl* var = nullptr;
    bool leaked = false; ///< a loop variable behind its loop
    bool ordered = false; ///< a matrix type that says how it is stored
    const Type* type = nullptr;
    std::vector<FunctionDecl*> functions;
  };
  struct Declarator {
    std::string_view name;
    const Type* type = nullptr;
    Location loc;
  };
  using Scope = std::unordered_map<std::string_view, Symbol>;
  struct Namespace {
    std::string name; ///< with those around it
    Scope symbols;    ///< while it is closed
    int openAt = -1;  ///< while it is open: its place in m_scopes
  };
  /// A method body that waits for the end of its structure.
  struct PendingBody {
    FunctionDecl* function;
    size_t position;
  };
  struct DepthGuard {
    explicit DepthGuard(Parser& p);
    ~DepthGuard() { m_parser.m_depth--; }
    Parser& m_parser;
  };

  // tokens (parser.cpp)
  const Token& peek(size_t ahead = 0) const;
  Token take();
  bool accept(std::string_view punctuator);
  bool acceptWord(std::string_view word);
  bool expect(std::string_view punctuator);
  void unexpected();
  bool at(std::string_view punctuator) const { return peek().is(punctuator); }
  bool atWord(std::string_view word) const { return peek().isIdentifier(word); }
  bool failed() const { return m_diagnostics.isFatal(); }
  void skipBraces(std::string_view open, std::string_view close);
  bool rowMajorHere() const;

  // scopes and types (parser_type.cpp)
  Symbol* lookup(std::string_view name);
  Symbol& declareSymbol(std::string_view name);
  Symbol* qualified(size_t ahead, size_t& length);
  Symbol* member(Symbol& space, std::string_view name);
  std::string inNamespace(std::string_view name) const;
  bool startsType(size_t ahead = 0);
  const Type* builtinType(std::string_view name, bool& isName);
  const Type* typeSpecifier(uint32_t& modifiers);
  const Type* templateVectorOrMatrix(bool matrix);
  const Type* objectType(ObjectKind kind, std::string_view name);
  const Type* stageObjectType(ObjectKind kind);
  const Type* structSpecifier(bool isClass);
  void structMember(Type* type);
  void baseList(Type* type);
  void interfaceDeclaration();
  void namespaceDeclaration();
  void methodRest(Type* owner, const Type* returnType, uint32_t modifiers, const Token& name);
  void parsePendingBodies(size_t from);
  void pushClassScope(const Type* type);
  void outOfClass(const Type* returnType, uint32_t modifiers, const Token& first, std::vector<Attribute> attributes);
  void methodBody(FunctionDecl* f);
  void checkInterfaces(const Type* type, const Location& at);
  void collectMethods(const Type* type, std::string_view name, std::vector<FunctionDecl*>& out) const;
  Expr* thisExpr(const Location& at);
  Expr* fieldOfThis(const Symbol& s, const Location& at);
  Expr* structMethodCall(Expr* base, const Token& name);
  FunctionDecl* functionHead(const Type* returnType, uint32_t modifiers, const Token& name, const Type* owner, bool isStatic);
  uint32_t modifierWord(std::string_view word) const;
  uint32_t modifiers();
  const Type* applyOrder(const Type* t, uint32_t modifiers);
  const Type* arraySuffix(const Type* element, bool allowUnsized, std::vector<uint32_t>* dims = nullptr);
  bool constantDimension(uint32_t& n);

  // declarations (parser_declaration.cpp)
  void topLevel();
  void globalOrFunction();
  void bufferDeclaration(bool textureBuffer);
  void typedefDeclaration();
  bool atTechnique();
  void skipEffect();
  void annotations();
  void stateBlock();
  void skipInitializer();
  bool semanticsAndBindings(std::string& semantic, VarDecl* var, Binding* binding, Location* where = nullptr);
  void packOffset(VarDecl* var);
  void registerBinding(Binding& binding);
  VarDecl* variable(const Type* type, uint32_t modifiers, const Declarator& d, bool global, ConstantBuffer* buffer);
  static constexpr uint32_t kMaxMemberObjects = 4096;
  void memberObjects(VarDecl* owner, const Type* type, const std::string& name);
  void checkGlobalModifiers(VarDecl* v);
  void foldInitializer(VarDecl* v);
  const Type* unorderedForm(const Type* type);
  void functionRest(const Type* returnType, uint32_t modifiers, Token name, std::vector<Attribute> attributes);
  VarDecl* parameter();
  FunctionDecl* findPrototype(Symbol& symbol, FunctionDecl* f);
  std::vector<Attribute> attributeList();
  Expr* initializer(const Type* type, const Location& at, const std::string& name);
  Expr* initListToType(Expr* list, const Type* type, const std::string& name);
  const Type* sizeFromInit(const Type* type, Expr* init);

  // statements (parser_statement.cpp)
  Stmt* statement();
  Stmt* block(bool ownScope);
  Stmt* declarationStatement();
  Stmt* ifStatement();
  Stmt* loopStatement();
  Stmt* switchStatement();
  Stmt* returnStatement();
  void applyAttributes(Stmt* s, const std::vector<Attribute>& list);
  Expr* conditionExpr(Expr* e);

  // expressions (parser_expression.cpp)
  Expr* expression();
  Expr* assignment();
  Expr* conditional();
  Expr* binary(int minimum);
  Expr* unary();
  Expr* postfix();
  Expr* primary();
  Expr* literal(const Token& t);
  Expr* identifier(const Token& t);
  Expr* construct(const Type* type, const Location& at);
  Expr* call(const Token& name, Symbol* s);
  Expr* member(Expr* base, const Token& name);
  Expr* methodCall(Expr* base, const Token& name);
  Expr* dimensionsCall(Expr* node, const Token& name, const std::vector<Expr*>& args);
  Expr* methodMismatch(const Expr* base, const Token& name, size_t count, const Location& at);
  const Type* methodResult(char letter, const Type* object);
  Expr* streamMethod(Expr* base, const Token& name, std::vector<Expr*> args, const Location& at);
  std::vector<Expr*> arguments();
  bool startsCast();

  // checks (expression_check.cpp)
  Expr* errorExpr(const Location& at);
  Expr* makeBinary(Operator op, Expr* a, Expr* b, const Location& at);
  Expr* makeUnary(Operator op, Expr* a, const Location& at);
  Expr* makeIncDec(Expr* a, bool increment, bool prefix, const Location& at);
  Expr* makeAssign(Operator op, Expr* a, Expr* b, const Location& at);
  Expr* makeConditional(Expr* c, Expr* a, Expr* b, const Location& at);
  Expr* makeIndex(Expr* a, Expr* i, const Location& at);
  Expr* makeCast(Expr* e, const Type* to, bool implicit);
  /// Implicit conversion with the warnings and errors that go with it. `what`: prefix of the message ("'x': " or "").
  bool lacksIndex(const Expr* e);
  Expr* convert(Expr* e, const Type* to, const std::string& what = {});
  Expr* swizzle(Expr* base, const Token& name);
  Expr* matrixSwizzle(Expr* base, const Token& name);
  bool checkLvalue(Expr* e, const Location& at);
  Expr* userCall(const Token& name, const std::vector<FunctionDecl*>& functions, std::vector<Expr*> args, const Location& at, Expr* self = nullptr);
  Expr* upcast(Expr* e, const Type* to);
  Expr* intrinsicCall(const Token& name, const Intrinsic& intrinsic, std::vector<Expr*> args, const Location& at);
  Expr* oldSampleCall(const Token& name, std::vector<Expr*> args, const Location& at);
  Expr* integerLiteral(uint32_t v, const Location& at);

  const PreprocessorOutput& m_input;
  Diagnostics& m_diagnostics;
  Program& m_program;
  ParserOptions m_options;
  TypeTable& m_types;
  ConstantBuffer* m_globals = nullptr;
  size_t m_firstGlobal = 0; ///< in the program, which may have those of other sources
  size_t m_pos = 0;
  int m_depth = 0;
  std::vector<Scope> m_scopes;
  FunctionDecl* m_function = nullptr;
  int m_loopDepth = 0;
  int m_switchDepth = 0;
  bool m_inTemplate = false; ///< '>' ends an expression
  size_t m_nodeBudget = 0;

  friend struct DepthGuard;
  friend class MethodArguments;
  std::vector<std::unique_ptr<std::string>> m_ownedNames;
  std::vector<std::unique_ptr<Namespace>> m_namespaces;
  std::vector<Namespace*> m_openNamespaces;
  std::vector<PendingBody> m_pending;
  int m_classDepth = 0;
  std::vector<std::unique_ptr<Symbol>> m_qualified; ///< made for Class::name
};

} // namespace monolith::compiler
