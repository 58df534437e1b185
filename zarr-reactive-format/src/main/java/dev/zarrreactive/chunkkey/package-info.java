/** Chunk key encodings, which name chunks in the store. */
@NullMarked
package dev.zarrreactive.chunkkey;

import org.jspecify.annotations.NullMarked;
