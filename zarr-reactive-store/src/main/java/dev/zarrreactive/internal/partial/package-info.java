/** The hidden files that values and archives are written to before they take their place. */
@NullMarked
package dev.zarrreactive.internal.partial;

import org.jspecify.annotations.NullMarked;
