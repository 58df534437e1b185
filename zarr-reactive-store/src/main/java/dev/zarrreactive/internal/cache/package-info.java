/** The loading cache for shard indexes and decoded chunks. */
@NullMarked
package dev.zarrreactive.internal.cache;

import org.jspecify.annotations.NullMarked;
