/**
 * What stores and formats both name: bytes, ranges of them, and the keys and prefixes of stores.
 */
@NullMarked
package dev.zarrreactive.base;

import org.jspecify.annotations.NullMarked;
