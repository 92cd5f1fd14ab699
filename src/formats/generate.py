#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes format_table.inc and format_enum.inc from formats.csv and data/FL*.tsv.

Run it in this folder after an edit of the data; the results are checked in.
"""
import csv, os

here = os.path.dirname(os.path.abspath(__file__))
LEVELS = ['9_1', '9_2', '9_3', '10_0', '10_1', '11_0', '11_1']
TYPE = dict(n='Unorm', s='Snorm', u='Uint', i='Sint', f='Float', t='Typeless')
SLOT = dict(R=0, G=1, B=2, A=3, D=0, S=1)


def channels(text):
    out = [(0, 0, 'None')] * 4
    shift = 0
    for c in text.split():
        if c[0] == 'X':
            shift += int(c[1:])
            continue
        bits = int(c[1:-1])
        out[SLOT[c[0]]] = (bits, shift, TYPE[c[-1]])
        shift += bits
    return ', '.join('{%d, %d, ChannelType::%s}' % c for c in out)


def support(level):
    masks = {}
    for line in open(os.path.join(here, 'data', 'FL%s.tsv' % level)):
        cells = line.rstrip('\n').split('\t')
        if len(cells) > 5 and cells[1].isdigit():
            need = allow = 0
            for k, c in enumerate(cells[4:4 + 45]):
                if c == 'R':
                    need |= 1 << k
                elif c == 'o':
                    allow |= 1 << k
            masks[int(cells[1])] = (need, allow)
    return masks


rows = [r for r in csv.reader(open(os.path.join(here, 'formats.csv'))) if not r[0].startswith('#')]
tables = [support(l) for l in LEVELS]
ident = lambda n: 'Opaque420' if n == '420_OPAQUE' else n
with open(os.path.join(here, 'format_enum.inc'), 'w') as f:
    f.write('// Made by generate.py from formats.csv.\n')
    for r in rows:
        if not r[1].startswith('RESERVED'):
            f.write('%s = %s,\n' % (ident(r[1]), r[0]))
with open(os.path.join(here, 'format_table.inc'), 'w') as f:
    f.write('// Made by generate.py from formats.csv and data/FL*.tsv.\n')
    for v, name, layout, nbytes, bw, bh, planes, ch, family, flags in rows:
        fl = ' | '.join('Flag::' + x for x in flags.split('|') if x) or '0'
        f.write('{Format(%s), Format(%s), "%s", Layout::%s, %s, %s, %s, %s, {%s}, %s,\n' %
                (v, family, name, layout, nbytes, bw, bh, planes, channels(ch), fl))
        f.write(' {%s}},\n' % ', '.join('{0x%xu, 0x%xu}' % t.get(int(v), (0, 0)) for t in tables))

# sRGB: decode table (ideal curve, rounded once to binary32) and, for each 8-bit code, the smallest binary32 that
# encodes to it (FLOAT -> SRGB with round half up).
import struct
from decimal import Decimal, getcontext
getcontext().prec = 50


def decode(c):
    return c / Decimal('12.92') if c <= Decimal('0.04045') else ((c + Decimal('0.055')) / Decimal('1.055')) ** Decimal('2.4')


def bits(x):
    return struct.unpack('<I', struct.pack('<f', x))[0]


def value(b):
    return Decimal(struct.unpack('<f', struct.pack('<I', b))[0])


def nearest(d):
    b = bits(float(d))
    return min((b - 1, b, b + 1) if b else (b, b + 1), key=lambda k: abs(value(k) - d))


def first_at_least(d):
    b = bits(float(d)) - 2
    while value(b) < d:
        b += 1
    return b


with open(os.path.join(here, 'srgb_table.inc'), 'w') as f:
    f.write('// Made by generate.py: binary32 values of the 256 sRGB codes.\n')
    f.write('constexpr uint32_t kSrgbDecodeBits[256] = {\n')
    for k in range(256):
        f.write('0x%08x,%s' % (nearest(decode(Decimal(k) / 255)) if k else 0, '\n' if k % 8 == 7 else ' '))
    f.write('};\n// The smallest binary32 that encodes to code k.\nconstexpr uint32_t kSrgbThresholdBits[256] = {\n')
    for k in range(256):
        y = (Decimal(2 * k - 1) / 510)
        lin = y / Decimal('12.92')
        t = lin if lin <= Decimal('0.0031308') else decode(y)
        f.write('0x%08x,%s' % (first_at_least(t) if k else 0, '\n' if k % 8 == 7 else ' '))
    f.write('};\n')
