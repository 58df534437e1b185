/** The read line: plans, fetches and decodes chunks, then places or delivers them. */
@NullMarked
package dev.zarrreactive.internal.read;

import org.jspecify.annotations.NullMarked;
