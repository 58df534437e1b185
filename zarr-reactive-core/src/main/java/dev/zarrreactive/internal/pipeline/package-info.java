/**
 * From a plan to bytes and back: fetch, decode and assemble chunks; encode and store them.
 * Everything here is lazy, cancellable and bounded.
 */
@NullMarked
package dev.zarrreactive.internal.pipeline;

import org.jspecify.annotations.NullMarked;
