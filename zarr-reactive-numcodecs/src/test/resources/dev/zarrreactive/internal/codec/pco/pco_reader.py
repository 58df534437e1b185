"""Decodes files of the package pcodec: base64 of one on each line of the input, and of the result
on each line of the output."""
import base64
import sys

from pcodec import standalone

for line in sys.stdin:
    print(base64.b64encode(standalone.simple_decompress(base64.b64decode(line)).tobytes()).decode())
