package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.libdeflate.NeedsLibdeflate;

/** The tests of the compressors of numcodecs, among them zlib, pass with libdeflate, too. */
@NeedsLibdeflate
class NumcodecsByLibdeflateTest extends BytesToBytesTest {}
