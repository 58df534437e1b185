/**
 * An HTTP server and proxy that misbehaves on request, and what every store over a network is
 * tested with: {@link FaultMatrix}, {@link ServerDies}, and {@link NoLeaks}.
 */
@NullMarked
package dev.zarrreactive.faults;

import org.jspecify.annotations.NullMarked;
