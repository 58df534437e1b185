/** The demonstration: a map of the Earth, streamed chunk by chunk. */
@NullMarked
package dev.zarrreactive.cli.demo;

import org.jspecify.annotations.NullMarked;
