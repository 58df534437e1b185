package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.libdeflate.NeedsLibdeflate;

/** The tests of gzip pass with libdeflate, too. */
@NeedsLibdeflate
class GzipByLibdeflateTest extends GzipCodecTest {}
