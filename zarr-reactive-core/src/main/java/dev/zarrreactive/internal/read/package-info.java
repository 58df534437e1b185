/** The read line: plan, fetch, decode, place or hand on. */
@NullMarked
package dev.zarrreactive.internal.read;

import org.jspecify.annotations.NullMarked;
