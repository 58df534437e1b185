/**
 * Codecs and chains of them (specification: "Chunk encoding"). Codecs are pure synchronous
 * functions; the pipeline decides on which thread they run.
 */
@NullMarked
package dev.zarrreactive.codec;

import org.jspecify.annotations.NullMarked;
