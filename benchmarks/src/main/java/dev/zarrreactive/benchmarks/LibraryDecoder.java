package dev.zarrreactive.benchmarks;

import dev.zarrreactive.base.Bytes;

/** Decodes one chunk with nothing but the codec's library. */
interface LibraryDecoder {
  void decode(Bytes encoded, byte[] target, int offset, int length);
}
