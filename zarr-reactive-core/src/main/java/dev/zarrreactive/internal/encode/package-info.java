/** Streams of encoded elements, which read band after band by the read line. */
@NullMarked
package dev.zarrreactive.internal.encode;

import org.jspecify.annotations.NullMarked;
