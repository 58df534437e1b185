/** The write line: plan, gather, encode, store on condition. */
@NullMarked
package dev.zarrreactive.internal.write;

import org.jspecify.annotations.NullMarked;
