/**
 * The codec {@code numcodecs.pcodec}: numbers as a few latent numbers each, which bins, tables of
 * weights and differences make small.
 */
@NullMarked
package dev.zarrreactive.internal.codec.pco;

import org.jspecify.annotations.NullMarked;
