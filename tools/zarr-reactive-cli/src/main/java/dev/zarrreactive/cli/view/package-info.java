/** The pictures of {@code zarr view}. */
@NullMarked
package dev.zarrreactive.cli.view;

import org.jspecify.annotations.NullMarked;
