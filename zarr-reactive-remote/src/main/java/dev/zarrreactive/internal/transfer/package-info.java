/** Reads of values over HTTP, whichever client sends the requests. */
@NullMarked
package dev.zarrreactive.internal.transfer;

import org.jspecify.annotations.NullMarked;
