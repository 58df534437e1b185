/**
 * The metadata documents of arrays and groups: what they say, checked against the specification,
 * and kept as they were written.
 */
@NullMarked
package dev.zarrreactive.metadata;

import org.jspecify.annotations.NullMarked;
