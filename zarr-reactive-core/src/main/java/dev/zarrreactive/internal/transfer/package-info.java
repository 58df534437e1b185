/** Bytes of values as they arrive over HTTP, whatever client brings them. */
@NullMarked
package dev.zarrreactive.internal.transfer;

import org.jspecify.annotations.NullMarked;
