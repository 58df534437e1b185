/** One request for all who want the same. */
@NullMarked
package dev.zarrreactive.internal.sharing;

import org.jspecify.annotations.NullMarked;
