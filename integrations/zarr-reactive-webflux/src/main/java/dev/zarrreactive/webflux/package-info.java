/**
 * Slices of arrays, metadata and errors in services with Spring WebFlux. {@link
 * dev.zarrreactive.webflux.ZarrWebFlux} registers it; with Spring Boot that happens by itself.
 */
@NullMarked
package dev.zarrreactive.webflux;

import org.jspecify.annotations.NullMarked;
