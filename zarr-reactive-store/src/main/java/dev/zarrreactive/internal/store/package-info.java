/** What the stores and the engine share, and users of the library do not see. */
@NullMarked
package dev.zarrreactive.internal.store;

import org.jspecify.annotations.NullMarked;
