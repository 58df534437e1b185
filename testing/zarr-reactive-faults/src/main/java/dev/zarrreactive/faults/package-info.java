/**
 * An HTTP server and proxy with faults on request, and the tests of each store over a network:
 * {@link FaultMatrix}, {@link ServerDies}, and {@link NoLeaks}.
 */
@NullMarked
package dev.zarrreactive.faults;

import org.jspecify.annotations.NullMarked;
