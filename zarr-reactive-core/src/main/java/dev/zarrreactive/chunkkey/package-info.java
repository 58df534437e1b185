/** Chunk key encodings: how chunks are named in the store. */
@NullMarked
package dev.zarrreactive.chunkkey;

import org.jspecify.annotations.NullMarked;
