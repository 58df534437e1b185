/** The mark of types that only authors of stores and codecs need. */
@NullMarked
package dev.zarrreactive.spi;

import org.jspecify.annotations.NullMarked;
