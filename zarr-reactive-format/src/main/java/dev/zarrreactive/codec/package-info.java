/**
 * Codecs and chains of them (specification: "Chunk encoding"). Codecs are pure synchronous
 * functions, which the caller runs on a thread of its choice.
 */
@NullMarked
package dev.zarrreactive.codec;

import org.jspecify.annotations.NullMarked;
