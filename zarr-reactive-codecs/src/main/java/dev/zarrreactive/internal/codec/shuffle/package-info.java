/** The byte and bit shuffles of blosc and numcodecs. */
@NullMarked
package dev.zarrreactive.internal.codec.shuffle;

import org.jspecify.annotations.NullMarked;
