/**
 * The codecs {@code zfp} and {@code numcodecs.zfpy}: blocks of 4ᵈ numbers, transformed and stored
 * plane of bits after plane of bits.
 */
@NullMarked
package dev.zarrreactive.internal.codec.zfp;

import org.jspecify.annotations.NullMarked;
