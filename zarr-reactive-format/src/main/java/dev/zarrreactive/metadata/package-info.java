/**
 * The metadata documents of arrays and groups, checked against the specification, and kept in their
 * original form.
 */
@NullMarked
package dev.zarrreactive.metadata;

import org.jspecify.annotations.NullMarked;
