/** Measurements of reads over sockets, from a server that is far or misbehaves. */
@NullMarked
package dev.zarrreactive.benchmarks.network;

import org.jspecify.annotations.NullMarked;
