/** The conventions that attributes declare in {@code zarr_conventions}. */
@NullMarked
package dev.zarrreactive.convention;

import org.jspecify.annotations.NullMarked;
