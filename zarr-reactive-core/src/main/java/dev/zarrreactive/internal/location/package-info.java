/** Locations: URL pipelines, and the stores that their segments open. */
@NullMarked
package dev.zarrreactive.internal.location;

import org.jspecify.annotations.NullMarked;
