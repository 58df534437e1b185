/** Metadata and attributes as the JSON that they are in a store, and chunks, for Jackson. */
@NullMarked
package dev.zarrreactive.jackson;

import org.jspecify.annotations.NullMarked;
