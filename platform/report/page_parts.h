// The files that a page of a report is made of, as they lay beside this one when the program was configured.
#pragma once

namespace syncline::platform::page_parts {

extern const char* const frame;    ///< page.html
extern const char* const style;    ///< page.css
extern const char* const charts;   ///< D3
extern const char* const license;  ///< of D3, which wants to be where D3 is
extern const char* const shapes;   ///< shapes.js
extern const char* const script;   ///< page.js

}  // namespace syncline::platform::page_parts
