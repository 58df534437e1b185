/**
 * JSON values that keep what was written: member order and the spelling of numbers. Read and
 * written with Jackson's streaming API.
 */
@NullMarked
package dev.zarrreactive.json;

import org.jspecify.annotations.NullMarked;
