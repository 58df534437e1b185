/** The CF conventions: the values, dates and flags that stored numbers stand for. */
@NullMarked
package dev.zarrreactive.cf;

import org.jspecify.annotations.NullMarked;
