package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.libdeflate.NeedsLibdeflate;

/** Frames of blosc, some with damaged zlib inside, pass their tests with libdeflate, too. */
@NeedsLibdeflate
class HostileFramesByLibdeflateTest extends HostileFramesTest {}
