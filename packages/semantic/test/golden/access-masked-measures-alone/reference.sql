select -1
