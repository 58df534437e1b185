/**
 * The cost of requests to a store, and the rule that merges the ranges of one value into requests.
 */
@NullMarked
package dev.zarrreactive.internal.link;

import org.jspecify.annotations.NullMarked;
