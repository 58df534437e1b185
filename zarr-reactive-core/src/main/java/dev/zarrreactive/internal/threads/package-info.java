/** Threads of this library's own. */
@NullMarked
package dev.zarrreactive.internal.threads;

import org.jspecify.annotations.NullMarked;
