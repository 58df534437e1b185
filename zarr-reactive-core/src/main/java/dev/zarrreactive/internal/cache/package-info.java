/** One cache for values that are loaded: stored values, indexes of shards, decoded chunks. */
@NullMarked
package dev.zarrreactive.internal.cache;

import org.jspecify.annotations.NullMarked;
