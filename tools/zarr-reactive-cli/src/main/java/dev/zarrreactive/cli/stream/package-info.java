/** Streams of chunks: their contents, their progress, and the requests to the store. */
@NullMarked
package dev.zarrreactive.cli.stream;

import org.jspecify.annotations.NullMarked;
