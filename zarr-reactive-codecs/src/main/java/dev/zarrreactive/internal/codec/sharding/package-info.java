/** The codec {@code sharding_indexed}: many inner chunks in one stored value, with an index. */
@NullMarked
package dev.zarrreactive.internal.codec.sharding;

import org.jspecify.annotations.NullMarked;
