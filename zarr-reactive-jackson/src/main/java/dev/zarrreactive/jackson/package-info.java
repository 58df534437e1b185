/** Metadata and attributes as the JSON that they are in a store, for services with Jackson. */
@NullMarked
package dev.zarrreactive.jackson;

import org.jspecify.annotations.NullMarked;
