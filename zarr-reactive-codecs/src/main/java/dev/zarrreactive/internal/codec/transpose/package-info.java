/** The codec {@code transpose}, and the copies of elements that it is made of. */
@NullMarked
package dev.zarrreactive.internal.codec.transpose;

import org.jspecify.annotations.NullMarked;
