/** Requests, reads and erasures of the stores of objects that this project calls over HTTP. */
@NullMarked
package dev.zarrreactive.internal.service;

import org.jspecify.annotations.NullMarked;
