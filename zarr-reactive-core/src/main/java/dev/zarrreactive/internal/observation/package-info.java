/** How observers are told. */
@NullMarked
package dev.zarrreactive.internal.observation;

import org.jspecify.annotations.NullMarked;
