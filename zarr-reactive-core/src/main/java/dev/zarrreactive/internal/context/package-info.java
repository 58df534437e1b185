/** The state that all operations of one opened hierarchy share: limits, budget, caches, arrays. */
@NullMarked
package dev.zarrreactive.internal.context;

import org.jspecify.annotations.NullMarked;
